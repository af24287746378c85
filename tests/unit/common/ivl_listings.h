/* Small complete IVL models: the listings of Herdt, "Complete Symbolic Simulation of SystemC Models", in the
 * language's syntax. */
#ifndef HEDDLE_TESTS_IVL_LISTINGS_H
#define HEDDLE_TESTS_IVL_LISTINGS_H

typedef struct ivl_listing {
    const char *name, *source;
} ivl_listing;

static const ivl_listing ivl_listings[] = {
    {"2.2", "event e; uint x=?(uint),a=0,b=0;\n"
            "thread A{if(x%2)a=1;else a=0;}\n"
            "thread B{wait e;b=x/2;}\n"
            "thread C{notify e;}\n"
            "main{start;assert(2*b+a==x);}\n"},
    {"2.3", "int a=0,b=0; event eA;\n"
            "thread A{if(b>0){wait eA;b=0;} assert(b==0);}\n"
            "thread B{b=1;wait_time 0;notify eA;}\n"},
    {"2.6", "int x=0;event e; thread A{assert(x==0);} thread B{notify e;} thread D{wait e;x=1;}\n"},
    {"2.7", "int x=0;event e1,e2; thread A{x=1;} thread B{notify e2;} thread C{notify e1;}\n"
            "thread D{wait e1;wait e2;assert x==1;}\n"},
    {"2.8", "int a=0,b=0; thread A{a=1;b=0;} thread B{if(a==0)b=1;} thread C{if(b>0)assert false;}\n"},
    {"3.1", "event eA,eB;\n"
            "thread A{wait_time 0;while(1){notify eB;wait eA;}}\n"
            "thread B{while(1){wait eB;notify eA;}}\n"
            "thread D{wait_time 0;assert false;}\n"},
    {"4.2", "int b=0,c=0;\n"
            "thread A{wait_time 0;while(1){wait_time 0;assert(c==0);}}\n"
            "thread B{while(1){wait_time 0;if(c>0)c=0;else b=1;}}\n"
            "thread C{while(1){wait_time 0;if(b>0)b=0;else c=1;}}\n"},
    {"5.1", "int a=?(int),b=0;event e;\n"
            "thread A{a+=1;b+=1;wait e;}\n"
            "thread B{if(b!=0){b=?(int)+2;assume(b>0);} wait e;assert(b>0);}\n"
            "thread C{notify e,1;}\n"},
    {"5.2", "uint n=?(uint);\n"
            "thread generate{while(1){n=(n+1)%3;wait_time 1;}}\n"
            "thread check{while(1){wait_time 1;assert(n>=0&&n<3);}}\n"
            "main{start;}\n"},
    {"5.3", "thread A{while(@time<3){wait_time 1;} assert false;} main{start 5;}\n"},
    {"5.4", "event e;int n=1; thread A{n=0;}\n"
            "thread B{if(n!=0)wait_time 4; wait_time 4;notify e,3;}\n"
            "thread C{wait e;assert false;} main{start 9;}\n"},
    {"6.1", "event CHECK,NEXT_STEP; int max=3,s=?(int),c=s;\n"
            "thread count{while(1){c+=1;notify CHECK,0;wait NEXT_STEP;}}\n"
            "thread reset{while(1){if((c-s)>=max)c=s; notify CHECK,0;wait NEXT_STEP;}}\n"
            "thread verify{while(1){wait CHECK;assert((c-s)<=max);notify NEXT_STEP;}}\n"},
    {"6.2", "int pressure=?(int),max=9,bound=4;event e;\n"
            "thread guard{while(1){wait e;if(pressure>=max)pressure-=1;}}\n"
            "thread increase{while(1){wait e;pressure+=1;}}\n"
            "thread clk{while(1){assert pressure<=max;wait_time 1;notify e,0;}}\n"
            "main{assume pressure<=bound&&pressure>=0;start 9;}\n"},
    {"6.3", "bool b=true,is_first=true;int n=?(int),step=0;event e;\n"
            "void extend_cond(int "
            "i){if(i<7||i>8){if(!is_first)assert(!b||(n!=(15-i)));is_first=false;b=b&&(n!=i);}}\n"
            "thread A{while(1){wait e;extend_cond(step);}}\n"
            "thread B{while(1){wait e;extend_cond(15-step);}}\n"
            "thread C{wait_time 0;while(1){for(step=0;step<15;step+=1){is_first=true;notify e;wait_time 0;}\n"
            "  assert(!b||(n==7||n==8));}}\n"
            "main{assume(n>=0&&n<=15);start;}\n"},
    {"6.4",
     "event COPY;u32 c=?(u32),n=0;\n"
     "void rotate_byte(u32*dst,u32 src,int pos){\n"
     "  u32 mask=0; switch(pos){case 0:mask=0xff;break;case 1:mask=0xff00;break;case 2:mask=0xff0000;break;\n"
     "  case 3:mask=0xff000000;break;default:assert false;}\n"
     "  if(pos==3)*dst|=((src&mask)>>24);else *dst|=((src&mask)<<8);}\n"
     "int popcount(u32 x){int k=0;for(int i=0;i<32;i+=1){k+=(x>>i)&1;}return k;}\n"
     "void check_state(){assert popcount(c)==popcount(n);}\n"
     "thread copy[i:4]{while(1){rotate_byte(&n,c,i);wait COPY;}}\n"
     "thread clk{while(1){wait_time(1);notify COPY;check_state();c=n;n=0;}}\n"
     "main{start 2;}\n"},
    {"6.5", "param MAX=3; param BOUND=1; int c=?(int);event e;\n"
            "thread counter{while(1){c+=1;wait e;}}\n"
            "thread guard{while(1){if(c>=MAX)c=c-MAX+BOUND;wait e;}}\n"
            "thread check{while(1){wait_time 0;assert(c>=0&&c<=MAX);notify e;}}\n"
            "main{assume(c>=0&&c<=BOUND);start;}\n"},
    {"6.6", "event E1,EM;int token;\n"
            "thread master{int local;while(1){token=?(int);local=token;notify E1;wait EM;assert "
            "token==(local+1);}}\n"
            "thread transmit{while(1){wait E1;token=token+1;notify EM;}}\n"},
    {"6.7", "param N=2; int result=0,step=0; event READ,WRITE;\n"
            "bool is_even(int x){return x%2==0;} bool pred(int x){return (x==2)||(x==4);}\n"
            "int fA(){int a1=?(int),a2=?(int);int r=a1*a2+a1;assume pred(a1);return r;}\n"
            "int fB(){int b1=?(int),b2=?(int);int r=b2*(b1+1);assume pred(b2);return r;}\n"
            "thread A{while(1){if(is_even(step)){result=result+fA();notify WRITE,0;} step+=1;wait READ;}}\n"
            "thread B{while(1){if(is_even(step)){result=result+fB();notify WRITE,0;} step+=1;wait READ;}}\n"
            "thread check{while(1){wait WRITE;notify READ,1;}}\n"
            "main{start(N-1);assert is_even(result);}\n"},
    {"6.8", "int abs(int x){return x<0?-x:x;} int f(){int z=?(int);if(z<5)return 1;else return -1;}\n"
            "thread A{int a=f(); a=abs(a);wait_time 0;}\n"},
    {"7.1", "param STEPS=5; int a=?(int),b=?(int),changes=0;event eA,eB;\n"
            "thread A{while(a<STEPS){a+=1;changes+=1;wait eA;}}\n"
            "thread B{while(b<STEPS){b+=1;changes+=1;wait eB;}}\n"
            "thread clk{wait_time 1;while(changes>0){changes=0;notify eA;notify eB;wait_time 1;}}\n"
            "main{assume(a==0||a==1);assume(b==0||b==1);start;assert(a==STEPS&&b==STEPS);}\n"},
};

enum { IVL_LISTING_COUNT = sizeof ivl_listings / sizeof *ivl_listings };

#endif
